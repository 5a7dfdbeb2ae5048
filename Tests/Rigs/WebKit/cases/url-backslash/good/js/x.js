window.ran = (window.ran || 0) + 1;
