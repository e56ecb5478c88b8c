import { Parley, useParley } from "@parley/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

function Help() {
  const parley = useParley();
  return (
    <button type="button" disabled={!parley} onClick={() => parley?.open()}>
      Ask us
    </button>
  );
}

createRoot(document.querySelector("main") as HTMLElement).render(
  <StrictMode>
    <h1>Lamps</h1>
    <Help />
    <Parley origin={import.meta.env["VITE_CHAT_ORIGIN"]} title="Lamps" launcher="none" />
  </StrictMode>,
);
