import { lazyRouteComponent } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { eventsSearch } from '../../features/activity/search';
import { agentSearch } from '../../features/apps/agent/search';
import { composeSearch, logsSearch } from '../../features/cvms/search';
import { usageSearch } from '../../features/metrics/search';
import { requireFramework } from './agentFramework';
import { importWithRetry } from '../../lib/importWithRetry';

const tabs = {
  overview: {
    // The CVM itself is the crumb.
    staticData: { crumb: null },
    component: lazyRouteComponent(
      () => importWithRetry(() => import('../../features/cvms/OverviewPage')),
      'OverviewPage',
    ),
  },
  agent: {
    validateSearch: agentSearch,
    beforeLoad: requireFramework,
    staticData: { crumb: 'Agent' },
    component: lazyRouteComponent(() => importWithRetry(() => import('./AgentTab')), 'AgentTab'),
  },
  certificates: {
    staticData: { crumb: 'Certificates' },
    component: lazyRouteComponent(
      () => importWithRetry(() => import('../../features/attestation/CertificatesPage')),
      'CertificatesPage',
    ),
  },
  compose: {
    validateSearch: composeSearch,
    staticData: { crumb: 'Compose' },
    component: lazyRouteComponent(() => importWithRetry(() => import('./ComposeTab')), 'ComposeTab'),
  },
  events: {
    validateSearch: eventsSearch,
    staticData: { crumb: 'Events' },
    component: lazyRouteComponent(() => importWithRetry(() => import('./CvmEvents')), 'CvmEvents'),
  },
  kms: {
    staticData: { crumb: 'KMS' },
    component: lazyRouteComponent(
      () => importWithRetry(() => import('../../features/kms/KmsPage')),
      'KmsPage',
    ),
  },
  logs: {
    validateSearch: logsSearch,
    staticData: { crumb: 'Logs' },
    component: lazyRouteComponent(
      () => importWithRetry(() => import('../../features/logs/LogsPage')),
      'LogsPage',
    ),
  },
  network: {
    staticData: { crumb: 'Network' },
    component: lazyRouteComponent(
      () => importWithRetry(() => import('../../features/network/NetworkPage')),
      'NetworkPage',
    ),
  },
  settings: {
    loader: async ({ context }: { context: { queryClient: QueryClient } }) => {
      const { loadSizes } = await importWithRetry(() => import('../../features/apps/deploy/queries'));
      await loadSizes(context.queryClient);
    },
    staticData: { crumb: 'Settings' },
    component: lazyRouteComponent(() => importWithRetry(() => import('./SettingsTab')), 'SettingsTab'),
  },
  usage: {
    validateSearch: usageSearch,
    staticData: { crumb: 'Usage' },
    component: lazyRouteComponent(() => importWithRetry(() => import('./UsageTab')), 'UsageTab'),
  },
} as const;

type TabName = keyof typeof tabs;

/**
 * Returns the options of a tab's route. CVM tabs exist below four addresses: the CVM's, its app's, the admin
 * area's, and the one printed by the published CLI. Each route file sets its address and takes the rest from here.
 * The router modifies the options, so every route gets its own copy.
 */
export const cvmTab = <K extends TabName>(name: K) => ({ ...tabs[name] });

/** Like `cvmTab`, for an address without breadcrumb, where the tab's name is only the page's title. */
export const cvmTabWithoutCrumb = <K extends Exclude<TabName, 'overview'>>(name: K) => ({
  ...tabs[name],
  staticData: { crumb: null, title: tabs[name].staticData.crumb },
});
