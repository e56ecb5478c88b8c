import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";

/**
 * Shows `fallback` in place of `children` when one of them throws while it renders. `retry` renders them again; the
 * models have lost nothing. The error goes to the browser's console.
 */
export function ErrorBoundary(props: {
  children: ComponentChildren;
  fallback: (retry: () => void) => ComponentChildren;
}) {
  const [error, retry] = useErrorBoundary((cause: unknown) => reportError(cause));
  return error === undefined ? props.children : props.fallback(retry);
}
