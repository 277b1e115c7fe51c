// Addresses of servers.

/** Whether links to this server open on this computer alone. */
export const isHere = (host) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
