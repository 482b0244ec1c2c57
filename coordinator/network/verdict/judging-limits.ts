/** Minimum links per direction to judge a node. */
export const fewestLinks = 3;
/** Minimum of those to good nodes; a single slow one may itself be bad. */
export const fewestGoodLinks = 2;
/** Minimum nodes to blame any: of two or three that disagree, any may be the bad one. */
export const fewestNodes = 4;
/** Measurements alone on the network needed to judge a suspect. */
export const loneAttempts = 2;

/** Share of its links, at least one, on which a node must have shown that it is not at fault. */
const SHOWN_SHARE = 0.02;

/** The number of links, out of `links`, on which a node must have shown it. */
export const leastShown = (links: number): number => Math.max(1, Math.ceil(SHOWN_SHARE * links));
