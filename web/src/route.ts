const ROUTE = /\/sessions\/([^/]+)\/events\/?$/;

/** The session that a URL names, when it is one of our routes. */
export function sessionOf(url: URL): string | undefined {
  const id = ROUTE.exec(url.pathname)?.[1];
  try {
    return id && decodeURIComponent(id);
  } catch {
    return undefined;
  }
}
