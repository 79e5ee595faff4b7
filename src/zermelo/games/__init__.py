"""A shelf of classic games, each in one short file: its rules, examples and sources. Left is the first player."""
