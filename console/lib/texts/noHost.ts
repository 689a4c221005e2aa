/** Shown to a team without access to any host. */
export const NO_HOST =
  'No host on this server is available to your team. Ask an administrator of this server for access.';

/** The same for visitors without a team. */
export const NO_HOST_YET = {
  title: 'A new team can’t deploy on this server yet.',
  advice: 'After you register, ask an administrator of this server to open a host to your team.',
};
