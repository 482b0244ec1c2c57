/** Links per direction without which a node is not judged. */
export const fewestLinks = 3;
/** Of those, links to good nodes; a single one that is slow may be bad itself. */
export const fewestGoodLinks = 2;
/** Nodes without which nobody can be blamed: of two or three that disagree, any may be the bad one. */
export const fewestNodes = 4;
/** Measurements alone on the network that a suspect needs before it is judged. */
export const loneAttempts = 2;

/** Share of its links, at least one, on which a node must have shown that it is not at fault itself. */
const SHOWN_SHARE = 0.02;

/** Links on which something must show, of so many. */
export const leastShown = (links: number): number => Math.max(1, Math.ceil(SHOWN_SHARE * links));
