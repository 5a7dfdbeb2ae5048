const pounds = new Intl.NumberFormat("en-GB", { style: "currency", currency: "GBP" });

// Prices are whole pence everywhere; only the last step before the eye makes pounds of them.
export const money = (pence: number): string => pounds.format(pence / 100);
