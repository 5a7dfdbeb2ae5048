// This header is empty. The module makes SwiftPM look up the flags of the system libraries for the
// C target, and name the packages that contain them.
