"""The methods that find tours by searching, one family of algorithms per file."""
