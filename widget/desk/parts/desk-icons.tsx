import { Icon } from "../../ui/icons.tsx";

export const BackIcon = () => (
  <Icon mirror>
    <path d="M19 12H5.5M11 6l-6 6 6 6" />
  </Icon>
);

/** Who the customer is. */
export const CardIcon = () => (
  <Icon>
    <rect x="3.5" y="5" width="17" height="14" rx="2.5" />
    <circle cx="9" cy="11" r="2" />
    <path d="M6 16c.5-1.5 1.6-2.2 3-2.2s2.5.7 3 2.2M15 10h3M15 13.5h3" />
  </Icon>
);

export const ReturnIcon = () => (
  <Icon mirror>
    <path d="M8.5 5L4.5 9l4 4M5 9h9a5.5 5.5 0 0 1 0 11h-3" />
  </Icon>
);

export const SignOutIcon = () => (
  <Icon mirror>
    <path d="M13.5 4.5H6v15h7.5M10.5 12h9M16.5 8.5L20 12l-3.5 3.5" />
  </Icon>
);

export const EyeIcon = () => (
  <Icon>
    <path d="M2.8 12C5 8 8.2 6 12 6s7 2 9.2 6c-2.2 4-5.4 6-9.2 6s-7-2-9.2-6z" />
    <circle cx="12" cy="12" r="2.8" />
  </Icon>
);

export const ChevronIcon = () => (
  <Icon>
    <path d="M7 10l5 5 5-5" />
  </Icon>
);

/** The product's mark: a bubble with three dots, as on the tab. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
      <rect class="mark-ground" width="32" height="32" rx="9" />
      <g class="mark-lines" fill="none" stroke-width="2" stroke-linejoin="round" stroke-linecap="round">
        <path d="M8 9.5h16a1.5 1.5 0 0 1 1.5 1.5v8a1.5 1.5 0 0 1-1.5 1.5h-8.2L11 24.5v-4H8A1.5 1.5 0 0 1 6.5 19v-8A1.5 1.5 0 0 1 8 9.5z" />
        <path stroke-width="2.6" d="M11.5 15h.02M16 15h.02M20.5 15h.02" />
      </g>
    </svg>
  );
}

/** A quiet harbour for empty places; decoration. */
export function QuietScene() {
  return (
    <svg class="scene" viewBox="0 0 220 120" width="220" height="120" aria-hidden="true" focusable="false">
      <circle class="scene-sun" cx="152" cy="44" r="20" />
      <path
        class="scene-bubble"
        d="M40 22h62a9 9 0 0 1 9 9v20a9 9 0 0 1-9 9H66L52 71V60H40a9 9 0 0 1-9-9V31a9 9 0 0 1 9-9z"
      />
      <path class="scene-line" d="M46 36h46M46 46h28" />
      <path class="scene-hill" d="M0 96c30-18 58-22 92-10 30 10 56 6 128-14v48H0z" />
      <path
        class="scene-water"
        d="M12 104c10-5 20-5 30 0s20 5 30 0 20-5 30 0 20 5 30 0 20-5 30 0 20 5 30 0"
      />
    </svg>
  );
}
