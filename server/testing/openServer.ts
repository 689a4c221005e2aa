/** Configures a server where any number of users can create teams and deploy. */
export const OPEN_TO_ALL = {
  REGISTRATION: 'open',
  LOCAL_TEEPOD_TEAMS: 'all',
  TEAMS_PER_USER: '1000',
  TEAM_QUOTA_CVMS: '1000',
  TEAM_QUOTA_VCPU: '4000',
  TEAM_QUOTA_MEMORY_MB: '8000000',
  TEAM_QUOTA_DISK_GB: '100000',
};

/**
 * Node options for servers that a test kills or closes within seconds: optimizing code takes a quarter of their
 * time.
 */
export const SHORT_LIVED = ['--no-opt', '--max-semi-space-size=32'] as const;
