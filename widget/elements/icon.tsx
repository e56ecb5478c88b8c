import styles from "./icon.module.css";

/**
 * Makes an icon of one path in the common stroke style: 24 units, 1.75 wide, in the text's colour. Always decorative: the
 * button has the name.
 * @param isMirrored the icon is mirrored where text runs from right to left
 */
export const icon =
  (path: string, isMirrored = false) =>
  () => (
    <svg
      class={isMirrored ? `${styles.icon} ${styles.iconMirror}` : styles.icon}
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
