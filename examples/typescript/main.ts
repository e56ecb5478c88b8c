import { boot, type ParleyEvent } from "@parley/js";

const origin = document.documentElement.dataset["chatOrigin"] ?? "";
const chat = boot({ origin, title: "Lamps", launcher: "none" });

const button = document.querySelector("button") as HTMLButtonElement;
const unread = document.querySelector("output") as HTMLOutputElement;
button.addEventListener("click", () => chat.open());
chat.on("unread", ({ count }: ParleyEvent<"unread">) => {
  unread.value = count > 0 ? `${count} new` : "";
});
chat.ready.then(
  () => {
    button.disabled = false;
  },
  ({ message }: Error) => {
    unread.value = message;
  },
);
