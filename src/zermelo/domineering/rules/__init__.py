"""Who wins on boards of any size, by rules: `knowledge.shipped().decide(Lattice(3, 1000))`, and why."""
