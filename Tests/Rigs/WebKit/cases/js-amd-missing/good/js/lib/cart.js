define([], () => "cart");
