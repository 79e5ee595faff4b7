"""What holds for every test."""

import signal

# A shell that starts the tests in the background has Ctrl-C ignored, and programs started by the tests would inherit
# that; the tests that press Ctrl-C mean programs as a user starts them.
signal.signal(signal.SIGINT, signal.default_int_handler)
