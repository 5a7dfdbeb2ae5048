require.config({baseUrl: "js/lib"});
check("cart", () => new Promise(done => { require(["cart"], done); setTimeout(() => done("never"), 800); }));
