"""What holds for every test."""

import signal

# Whoever starts the tests in the background has Ctrl-C ignored or blocked, and programs started by the tests would
# inherit that; the tests that press Ctrl-C mean programs as a user starts them.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
