/** Runs `run` now, or once somebody visits the page that the browser prerenders: before that, no frame of another origin loads. */
export function whenVisited(run: () => void, watching: AbortController): void {
  if ((document as { readonly prerendering?: boolean }).prerendering)
    document.addEventListener("prerenderingchange", run, watching);
  else run();
}
