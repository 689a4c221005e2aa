import type { AppTab, CvmTab } from '../paths';

export interface Tab<T> {
  tab: T;
  label: string;
  /** Alternative search words for the command palette. */
  keywords: string;
}

/** A CVM's pages besides its overview, in tab order. */
export const cvmTabs = (agent_framework: string): Tab<CvmTab>[] => [
  { tab: 'logs', label: 'Logs', keywords: 'output serial console stdout stderr' },
  { tab: 'events', label: 'Events', keywords: 'operations history' },
  { tab: 'compose', label: 'Compose', keywords: 'update secrets environment visibility' },
  { tab: 'network', label: 'Network', keywords: 'endpoints ports domains dns' },
  { tab: 'certificates', label: 'Certificates', keywords: 'attestation evidence quote verify chain' },
  { tab: 'kms', label: 'KMS', keywords: 'keys app-auth chain' },
  { tab: 'usage', label: 'Usage', keywords: 'metrics cpu memory disk cost' },
  {
    tab: `${agent_framework}-conf`,
    label: 'Agent',
    keywords: `${agent_framework} character configuration`,
  },
  { tab: 'settings', label: 'Settings', keywords: 'name size resize power delete protection' },
];

/** An app's pages besides its overview. */
export const appTabs: readonly Tab<AppTab>[] = [
  { tab: 'cvms', label: 'CVMs', keywords: 'replicas instances scale' },
  { tab: 'revisions', label: 'Revisions', keywords: 'history versions diff roll back' },
  { tab: 'events', label: 'Events', keywords: 'operations history' },
  { tab: 'usage', label: 'Usage', keywords: 'metrics cost' },
];
