export type PowerAction = 'start' | 'stop' | 'restart';

interface PowerText {
  verb: string;
  /** Error title if the server refuses. */
  failed: string;
  effects: string[];
}

/** Texts of a power action, wherever it is confirmed. */
export const POWER_TEXTS: Record<PowerAction, PowerText> = {
  start: {
    verb: 'Start',
    failed: 'Couldn’t start the CVM',
    effects: [
      'The VM boots and its containers start with their saved secrets.',
      'Metering starts once it’s running.',
    ],
  },
  stop: {
    verb: 'Stop',
    failed: 'Couldn’t stop the CVM',
    effects: [
      'Containers shut down, then the VM turns off. Its addresses become unavailable.',
      'Disk, secrets, app ID and addresses are kept for the next start.',
      'Compute metering stops; the disk is still metered.',
    ],
  },
  restart: {
    verb: 'Restart',
    failed: 'Couldn’t restart the CVM',
    effects: ['Its addresses are unavailable until it boots.', 'Disk and secrets are kept.'],
  },
};
