import PlusIcon from 'lucide-react/icons/plus';
import styled from '@emotion/styled';
import type { CvmNetwork } from '../../../generated/api/types.gen';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';
import { ActionButton } from '../../ui/controls/ActionButton';
import { DomainCard } from './DomainCard';
import type { NetworkProps } from './types';
import { counted } from '../../lib/texts/count';
import { curly } from '../../lib/texts/curly';

const List = styled('ul')({ display: 'grid', gap: space(3) });
const DOMAINS = ['domain', 'domains'] as const;

const Foot = styled('p')({ ...type.small, color: color.muted, marginTop: space(2) });

/** Custom domains and what each one still needs. */
export function DomainsPanel(props: NetworkProps & { network: CvmNetwork }) {
  const { domains, domainsProblem, network, refused, onAddDomain } = props;
  const full =
    domains === undefined
      ? undefined
      : domains.limits.app_used >= domains.limits.app_most
        ? `An app can have up to ${counted(domains.limits.app_most, DOMAINS)}.`
        : domains.limits.team_used >= domains.limits.team_most
          ? `A team can have up to ${counted(domains.limits.team_most, DOMAINS)}.`
          : undefined;
  return (
    <Panel
      title="Domains"
      subtitle="Custom domains for this app. The gateway passes TLS through, so only the app can decrypt the traffic."
      actions={
        <ActionButton startIcon={<PlusIcon />} reason={refused ?? full} onClick={onAddDomain}>
          Add domain
        </ActionButton>
      }
    >
      {network.gateway.domains_unserved !== null && (
        <div style={{ marginBottom: 12 }}>
          <Notice
            tone={network.gateway.kind === 'local' ? 'simulated' : 'attention'}
            title="Domains don’t work for this app yet."
          >
            {curly(network.gateway.domains_unserved)} You can already add and verify a domain. It works once
            the app runs on a host with a dstack gateway{network.gateway.enabled ? '' : ' and enables it'}.
          </Notice>
        </div>
      )}
      {domainsProblem && <ErrorNotice problem={domainsProblem} />}
      {!domains ? (
        !domainsProblem && <RowsSkeleton rows={2} />
      ) : domains.data.length === 0 ? (
        <EmptyState picture="domains">
          Add a domain such as app.example.com and set its DNS records. They are rechecked until valid.
        </EmptyState>
      ) : (
        <List>
          {domains.data.map((domain) => (
            <li key={domain.id}>
              <DomainCard {...props} domain={domain} />
            </li>
          ))}
        </List>
      )}
      {domains && domains.data.length > 0 && (
        <Foot>
          {domains.limits.app_used} of {counted(domains.limits.app_most, DOMAINS)} in this app,{' '}
          {domains.limits.team_used} of {domains.limits.team_most} in the team.
        </Foot>
      )}
    </Panel>
  );
}
