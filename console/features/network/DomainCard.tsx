import { PendingButton } from '../../ui/controls/PendingButton';
import styled from '@emotion/styled';
import type { CvmNetwork, Domain } from '../../../generated/api/types.gen';
import { CopyButton } from '../../ui/controls/CopyButton';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Notice } from '../../ui/feedback/Notice';
import { ToneChip } from '../../ui/feedback/ToneChip';
import type { Glyph, Tone } from '../../ui/feedback/status';
import { TextLink } from '../../ui/link';
import { color, radius, space, type } from '../../ui/theme';
import { ActionButton } from '../../ui/controls/ActionButton';
import { CheckResult } from './CheckResult';
import { DomainChecks } from './DomainChecks';
import { DomainRecords } from './DomainRecords';
import { IngressSnippet } from './IngressSnippet';
import type { NetworkProps } from './types';

const Card = styled('article')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  padding: space(4),
  display: 'grid',
  gap: space(4),
  minWidth: 0,
});
const Head = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `${space(1)} ${space(3)}`,
});
const Name = styled('h3')({
  ...type.mono,
  fontSize: '14px',
  fontWeight: 600,
  minWidth: 0,
  overflowWrap: 'anywhere',
});
const Sub = styled('p')({ ...type.small, color: color.muted, width: '100%' });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2), alignItems: 'center' });
const More = styled('details')({
  minWidth: 0,
  '& > summary': { ...type.small, cursor: 'pointer', color: color.accentText, width: 'fit-content' },
  '& > div': { marginTop: space(3) },
});

const STATES: Record<Domain['state'], { word: string; tone: Tone; glyph: Glyph }> = {
  pending: { word: 'Waiting for DNS', tone: 'attention', glyph: 'dot' },
  verified: { word: 'Verified', tone: 'ok', glyph: 'check' },
  broken: { word: 'Broken', tone: 'error', glyph: 'cross' },
};

type Props = Pick<
  NetworkProps,
  | 'cvm'
  | 'tried'
  | 'refused'
  | 'verifying'
  | 'verifyProblem'
  | 'link'
  | 'onTry'
  | 'onVerifyDomain'
  | 'onRemoveDomain'
> & { network: CvmNetwork; domain: Domain };

export function DomainCard(props: Props) {
  const { domain, network, refused, verifying, verifyProblem, tried, onTry } = props;
  const { id, url, state, diagnosis } = domain;
  const busy = verifying === id;
  const one = tried.get(id);
  const served = network.gateway.domains_unserved === null;
  return (
    <Card aria-label={domain.domain}>
      <Head>
        <Name>
          {state === 'verified' && url !== null ? (
            <TextLink href={url} target="_blank">
              {domain.domain_unicode}
            </TextLink>
          ) : (
            domain.domain_unicode
          )}
        </Name>
        <CopyButton text={url ?? domain.domain} what={url === null ? 'domain' : 'address'} />
        <ToneChip tone={STATES[state].tone} glyph={STATES[state].glyph}>
          {STATES[state].word}
        </ToneChip>
        <Sub>
          <Standing {...domain} />
        </Sub>
        {domain.domain_unicode !== domain.domain && <Sub>In DNS: {domain.domain}</Sub>}
      </Head>
      {!domain.port_published && (
        <Notice tone="attention" title={`Port ${domain.port} is not published.`}>
          The Compose file doesn’t publish port {domain.port}, so nothing responds there.{' '}
          <TextLink href={props.link('compose')}>Publish it</TextLink>, or add the domain with another port.
        </Notice>
      )}
      {diagnosis && <DomainChecks diagnosis={diagnosis} />}
      {state === 'verified' ? (
        <More>
          <summary>Records</summary>
          <div>
            <DomainRecords records={domain.records} />
          </div>
        </More>
      ) : (
        <DomainRecords records={domain.records} />
      )}
      {served && network.gateway.cname !== null && (
        <More>
          <summary>Add an ingress with its own certificate</summary>
          <div>
            <IngressSnippet
              domain={domain}
              cname={network.gateway.cname}
              ports={network.ports}
              link={props.link}
            />
          </div>
        </More>
      )}
      <Row>
        <ActionButton
          reason={refused}
          variant={state === 'verified' ? 'outlined' : 'contained'}
          pending={busy}
          onClick={() => props.onVerifyDomain(id)}
        >
          {busy ? 'Checking DNS…' : 'Check DNS now'}
        </ActionButton>
        {url !== null && served && (
          <PendingButton pending={one?.pending === true} onClick={() => onTry({ domain_id: id })}>
            {one?.pending ? 'Testing…' : 'Test address'}
          </PendingButton>
        )}
        <ActionButton reason={refused} tone="danger" variant="text" onClick={() => props.onRemoveDomain(id)}>
          Remove…
        </ActionButton>
      </Row>
      {verifyProblem?.id === id && <ErrorNotice problem={verifyProblem.problem} />}
      <CheckResult tried={one} />
    </Card>
  );
}

/** The domain's target, owner and next check. */
function Standing({ scope, port, state, proved_at, broken_since, checked_at, next_check_at }: Domain) {
  return (
    <>
      Routes to port {port} on {scope === 'app' ? 'any instance of the app' : 'this instance only'}.{' '}
      {state === 'broken' && broken_since !== null && (
        <>
          Broken since <RelativeTime at={broken_since} inWords />.{' '}
        </>
      )}
      {proved_at === null && state !== 'verified' && 'Not verified yet, so it isn’t reserved for this app. '}
      {checked_at === null ? (
        'DNS check starting.'
      ) : (
        <>
          Checked <RelativeTime at={checked_at} inWords />; next check{' '}
          <RelativeTime at={next_check_at} inWords />.
        </>
      )}
    </>
  );
}
