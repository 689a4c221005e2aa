import { Button, LinkButton } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { useSession } from '../../../api/session';
import { findAgents, type Agent } from '../../../lib/agent/compose';
import { cvmLink, launchPath, type CvmAddress } from '../../../lib/paths';
import { secretHostOfCvm, secretReaders } from '../../../lib/secrets/privacy';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { Notice } from '../../../ui/feedback/Notice';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { space, type } from '../../../ui/theme';
import { AgentChat } from './AgentChat';
import { AgentVariables } from './AgentVariables';
import { CharacterEditor } from './CharacterEditor';
import { agentSearch } from './search';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Picker = styled('div')({ maxWidth: 360 });
const Code = styled('code')(type.mono);

interface Props {
  cvm: CvmDetail;
  address: CvmAddress;
  /** Computes the compose hash for another compose file; null if only the server can. */
  hashAfter: (compose: string) => string | null;
}

/** Edits the agent's character in the compose file, as a form or JSON. */
export function AgentPage({ cvm, address, hashAfter }: Props) {
  const { agent_framework } = useSession().environment;
  const { service } = agentSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const compose = cvm.compose_file?.docker_compose_file ?? '';
  const agents = findAgents(compose, agent_framework);
  const agent = agents.find((one) => one.service === service) ?? agents[0];
  if (!agent) return <NoAgent framework={agent_framework} address={address} />;
  return (
    <Stack>
      {agents.length > 1 && (
        <Picker>
          <SelectInput
            label="Agent"
            value={agent.service}
            choices={agents.map((one) => ({ value: one.service, label: one.service }))}
            onChange={(event) =>
              void navigate({ to: '.', search: { service: event.target.value }, replace: true })
            }
          />
        </Picker>
      )}
      <Character key={agent.service} framework={agent_framework} {...{ agent, cvm, address, hashAfter }} />
      <AgentChat key={`chat ${agent.service}`} {...{ agent, cvm, address }} />
      <AgentVariables agent={agent} address={address} />
    </Stack>
  );
}

function Character({ agent, ...props }: Props & { agent: Agent; framework: string }) {
  const { cvm, address } = props;
  const [begun, setBegun] = useState(false);
  const { character } = agent;
  const compose = <TextLink href={cvmLink(address, 'compose')}>Compose</TextLink>;
  if (character.state === 'secret')
    return (
      <Panel title={`${agent.service} character`}>
        <Notice tone="neutral" title="Sealed.">
          The character is stored in the secret <Code>{character.secret}</Code>.{' '}
          {secretReaders(secretHostOfCvm(cvm))} To change it, set a new value under {compose}.
        </Notice>
      </Panel>
    );
  if (character.state === 'interpolated')
    return (
      <Panel title={`${agent.service} character`}>
        <Notice tone="neutral" title="Partly from variables.">
          Its JSON contains {'${…}'}, which is resolved inside the CVM. Edit it as text under {compose}.
        </Notice>
      </Panel>
    );
  if (character.state === 'readable' || begun) return <CharacterEditor agent={agent} {...props} />;
  return (
    <Panel title={`${agent.service} character`}>
      <EmptyState
        picture="agent"
        title="Not in the Compose file"
        action={<Button onClick={() => setBegun(true)}>Add character</Button>}
      >
        {cvm.name} runs {agent.image} with the character built into the image. A character added here is
        passed to the service in the CHARACTER environment variable, which its start command must read.
      </EmptyState>
    </Panel>
  );
}

function NoAgent({ framework, address }: { framework: string; address: CvmAddress }) {
  return (
    <EmptyState
      picture="agent"
      title="No agent"
      // Staff view other teams' CVMs and can't launch there.
      {...(address.by === 'admin'
        ? {}
        : {
            action: (
              <LinkButton href={`${launchPath(address.teamSlug)}?way=agent`} variant="contained">
                Launch an agent
              </LinkButton>
            ),
          })}
      link={{ label: 'View Compose file', href: cvmLink(address, 'compose') }}
    >
      A service is detected as an agent if its image name contains {framework} or if it has a character in the
      CHARACTER (JSON) or CHARACTER_DATA (base64) environment variable or an inline config.
    </EmptyState>
  );
}
