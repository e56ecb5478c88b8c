import { icon } from "./icon.tsx";

export const RetryIcon = icon("M19.5 12a7.5 7.5 0 1 1-2.3-5.4M19.5 4v4h-4");

export const CheckIcon = icon("M5.5 12.5l4.2 4.2 8.8-9");

export const ArticleIcon = icon("M7 3.75h7.5L18.5 8v12.25H7zM14.25 4v4.25h4M10 12.5h5.5M10 16h5.5");

export const DownIcon = icon("M12 5v13.5M6 12.8l6 6 6-6");

export const ThumbIcon = icon(
  "M7.5 11v8.5H4V11zM7.5 11l4-7c1.6 0 2.5 1.1 2.3 2.7L13.3 10h5.2a1.8 1.8 0 0 1 1.8 2.2l-1.2 5.6a2.2 2.2 0 0 1-2.1 1.7H7.5",
);
