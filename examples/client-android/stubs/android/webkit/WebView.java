package android.webkit;

/** A stand-in for Android's class. */
public class WebView {}
