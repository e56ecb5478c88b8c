import { icon } from "../../elements/icon.tsx";
import controlsStyles from "../css/controls.module.css";
import queueStyles from "../css/queue.module.css";

export const BackIcon = icon("M19 12H5.5M11 6l-6 6 6 6", true);

/** A customer's details. */
export const CardIcon = icon(
  "M6 5h12a2.5 2.5 0 0 1 2.5 2.5v9a2.5 2.5 0 0 1-2.5 2.5H6a2.5 2.5 0 0 1-2.5-2.5v-9A2.5 2.5 0 0 1 6 5zM7 11a2 2 0 1 0 4 0a2 2 0 1 0-4 0M6 16c.5-1.5 1.6-2.2 3-2.2s2.5.7 3 2.2M15 10h3M15 13.5h3",
);

export const ReturnIcon = icon("M8.5 5L4.5 9l4 4M5 9h9a5.5 5.5 0 0 1 0 11h-3", true);

export const PeopleIcon = icon(
  "M6 8.5a3 3 0 1 0 6 0a3 3 0 1 0-6 0M3.5 19c.5-3.4 2.6-5.2 5.5-5.2s5 1.8 5.5 5.2M15 5.9a3 3 0 0 1 0 5.2M17.2 14.2c1.8.7 2.9 2.3 3.3 4.8",
);

export const TalkIcon = icon("M4.5 6h15v10.5H12l-4 3.5v-3.5H4.5z");

export const EyeIcon = icon(
  "M2.8 12C5 8 8.2 6 12 6s7 2 9.2 6c-2.2 4-5.4 6-9.2 6s-7-2-9.2-6zM9.2 12a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0",
);

export const ChevronIcon = icon("M7 10l5 5 5-5");

export const BellIcon = icon("M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5h4");

export const BellOffIcon = icon(
  "M6 16.5V11c0-1 .2-1.9.7-2.7M9 5.8A6 6 0 0 1 18 11v3.5M16 18H4.5L6 16.5M10 20.5h4M4 4l16 16",
);

export const SoundIcon = icon("M4.5 9.5v5h3.5l5 4v-13l-5 4zM16 9.5a4 4 0 0 1 0 5M18.5 7a7.5 7.5 0 0 1 0 10");

export const SoundOffIcon = icon("M4.5 9.5v5h3.5l5 4v-13l-5 4zM16.5 9.5l4.5 5M21 9.5l-4.5 5");

/** The product's mark: a bubble with three dots, as on the tab. */
export function Mark() {
  return (
    <svg
      class={controlsStyles.mark}
      viewBox="0 0 32 32"
      width="32"
      height="32"
      aria-hidden="true"
      focusable="false"
    >
      <rect class={controlsStyles.markGround} width="32" height="32" rx="9" />
      <g
        class={controlsStyles.markLines}
        fill="none"
        stroke-width="2"
        stroke-linejoin="round"
        stroke-linecap="round"
      >
        <path d="M8 9.5h16a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-8.2L11 24.5v-4H8A1.5 1.5 0 0 1 6.5 19v-8A1.5 1.5 0 0 1 8 9.5z" />
        <path stroke-width="2.6" d="M11.5 15h.02M16 15h.02M20.5 15h.02" />
      </g>
    </svg>
  );
}

/** A quiet harbour with its pines, for empty places; decoration. */
export function QuietScene() {
  return (
    <svg
      class={queueStyles.scene}
      viewBox="0 0 240 130"
      width="240"
      height="130"
      aria-hidden="true"
      focusable="false"
    >
      <circle class={queueStyles.sceneSun} cx="168" cy="52" r="22" />
      <path
        class={queueStyles.sceneHill}
        d="M14 92c26-20 52-24 84-13 34 12 66 10 128-12v33a20 20 0 0 1-20 20H34a20 20 0 0 1-20-20z"
      />
      <path
        class={queueStyles.scenePine}
        d="M196 84V50l-11 20h7l-9 14zM196 84V50l11 20h-7l9 14zM216 80V60l-7 12h4l-5 8zM216 80V60l7 12h-4l5 8z"
      />
      <path
        class={queueStyles.sceneBubble}
        d="M44 16h66a10 10 0 0 1 10 10v20a10 10 0 0 1-10 10H72L58 68V56H44a10 10 0 0 1-10-10V26a10 10 0 0 1 10-10z"
      />
      <path class={queueStyles.sceneLine} d="M50 31h48M50 42h28" />
      <path
        class={queueStyles.sceneWater}
        d="M34 100c9-4 17-4 26 0s17 4 26 0 17-4 26 0 17 4 26 0 17-4 26 0 17 4 26 0M60 110c9-4 17-4 26 0s17 4 26 0 17-4 26 0 17 4 26 0"
      />
    </svg>
  );
}
