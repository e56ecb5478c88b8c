"use client";

import { useParley } from "@parley/react";

export function Help() {
  const parley = useParley();
  return (
    <button type="button" disabled={!parley} onClick={() => parley?.open()}>
      Ask us
    </button>
  );
}
