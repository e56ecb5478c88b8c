/** A browser's calls to a BFF at `url`. */
export function callAs(url: string, origin = url) {
  return (method: string, path: string, token?: string, body: object = {}, signal?: AbortSignal) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        origin,
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(method === "POST" ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    });
}
