// This module has no content. It makes SwiftPM look up the flags of the system libraries for the C target,
// and name the packages that contain them.
