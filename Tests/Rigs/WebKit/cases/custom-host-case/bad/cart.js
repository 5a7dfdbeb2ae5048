window.carts = (window.carts || 0) + 1;
