import AddRounded from '@mui/icons-material/AddRounded';
import { styled } from '@mui/material/styles';
import type { CvmNetwork } from '../../../../generated/api/types.gen';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { ActionButton } from '../ActionButton';
import { DomainCard } from './DomainCard';
import type { NetworkProps } from './types';

const List = styled('ul')({ display: 'grid', gap: space(3) });
const Foot = styled('p')({ ...type.small, color: color.muted, marginTop: space(2) });

/** Domains of one's own, with what is missing for each to work. */
export function DomainsPanel(props: NetworkProps & { network: CvmNetwork }) {
  const { domains, domainsProblem, network, shut, onAddDomain } = props;
  const full =
    domains === undefined
      ? undefined
      : domains.limits.app_used >= domains.limits.app_most
        ? `An app can have ${domains.limits.app_most} domains.`
        : domains.limits.team_used >= domains.limits.team_most
          ? `A team can have ${domains.limits.team_most} domains.`
          : undefined;
  return (
    <Panel
      title="Domains"
      subtitle="Names of your own that lead to the app. The gateway passes their TLS through, so the certificate is the app’s and nobody on the way can read along."
      actions={
        <ActionButton startIcon={<AddRounded />} reason={shut ?? full} onClick={onAddDomain}>
          Add domain
        </ActionButton>
      }
    >
      {network.gateway.domains_unserved !== null && (
        <div style={{ marginBottom: 12 }}>
          <Notice
            tone={network.gateway.kind === 'local' ? 'simulated' : 'attention'}
            title="Domains do not work here."
          >
            {network.gateway.domains_unserved} A domain can be added and proved; it works once the app runs
            behind a dstack gateway.
          </Notice>
        </div>
      )}
      {domainsProblem && <ErrorNotice problem={domainsProblem} />}
      {!domains ? (
        !domainsProblem && <RowsSkeleton rows={2} />
      ) : domains.data.length === 0 ? (
        <EmptyState>
          Add a domain such as app.example.com: you get the records to set, and they are looked at until they
          are right.
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
          {domains.limits.app_used} of {domains.limits.app_most} domains of this app,{' '}
          {domains.limits.team_used} of {domains.limits.team_most} of the team.
        </Foot>
      )}
    </Panel>
  );
}
