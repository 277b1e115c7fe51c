"""The commands of the command line, one file for each subject. Nothing heavy is loaded before a command runs."""
