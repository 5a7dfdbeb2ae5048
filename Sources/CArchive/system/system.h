// Nothing of its own: this module makes SwiftPM look up the flags of the system libraries (and name
// the packages that bring them) for the C target beside it.
