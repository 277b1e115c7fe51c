// Addresses of servers, and links to what the page shows.

/** Whether links to this server open on this computer alone. */
export const isHere = (host) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** The whole link to this page with a text after '#'. */
export const linkTo = (text) => `${location.origin}${location.pathname}#${text}`;
