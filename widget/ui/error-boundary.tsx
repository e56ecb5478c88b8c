import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";

/**
 * Shows `fallback` in place of `children` when one of them throws while it is rendered. `retry` renders them again, over
 * models that have lost nothing. The browser's console gets the error.
 */
export function ErrorBoundary(props: {
  children: ComponentChildren;
  fallback: (retry: () => void) => ComponentChildren;
}) {
  const [error, retry] = useErrorBoundary((cause: unknown) => reportError(cause));
  return error === undefined ? props.children : props.fallback(retry);
}
