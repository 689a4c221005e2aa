/** The error of a queue item that an administrator canceled. It isn't a fault of the platform. */
export const CANCELED = 'Canceled by an administrator.';
