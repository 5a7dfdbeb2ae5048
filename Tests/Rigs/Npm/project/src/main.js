import { orders } from "./orders.js";

orders().then((list) => {
  document.querySelector("#orders").textContent = list.join(", ");
});
