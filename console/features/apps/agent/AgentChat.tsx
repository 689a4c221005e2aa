import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { getCvmNetworkOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { sendAgentMessage } from '../../../../generated/api/sdk.gen';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { inTeam } from '../../../api/client';
import { problemOf } from '../../../api/problem';
import { useMay } from '../../../api/session';
import type { Agent } from '../../../lib/agent/compose';
import { cvmLink, type CvmAddress } from '../../../lib/paths';
import { Conversation } from '../../../ui/chat/Conversation';
import { Turn } from '../../../ui/chat/Turn';
import { givenBack, recentTurns } from '../../../ui/chat/turns';
import { Button } from '../../../ui/controls/Button';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { Panel } from '../../../ui/layout/Panel';

/** Default port of the framework's HTTP API; SERVER_PORT changes it. */
const API_PORT = 3000;
const MAX_CHARACTERS = 4000;

interface ShownTurn {
  id: number;
  /** The sender; null for the user. */
  from: string | null;
  text: string;
}

interface Props {
  agent: Agent;
  cvm: CvmDetail;
  address: CvmAddress;
}

/** A conversation with the running agent, through this server and the CVM's gateway. */
export function AgentChat(props: Props) {
  const { agent, cvm, address } = props;
  const { data, error, refetch } = useQuery(
    getCvmNetworkOptions({ ...inTeam(address.teamSlug), path: { cvm_id: address.vmUuid } }),
  );
  const ports = (data?.ports ?? []).flatMap(({ service, port, reach }) =>
    service === agent.service && reach === 'public' && port !== null ? [port] : [],
  );
  const problem = problemOf(error, 'Couldn’t load the CVM’s addresses', () => void refetch());
  const missing =
    cvm.status !== 'running'
      ? 'Start the CVM to talk to its agent.'
      : data && ports.length === 0
        ? 'The Compose file publishes no agent port that’s reachable through the gateway.'
        : null;
  return (
    <Panel
      title="Chat"
      subtitle="Messages and replies pass through this server, which doesn’t store them. The agent may."
    >
      {problem && <ErrorNotice problem={problem} />}
      {missing !== null ? (
        <EmptyState link={{ label: 'Network', href: cvmLink(address, 'network') }}>{missing}</EmptyState>
      ) : (
        data && <Talk {...props} ports={ports} />
      )}
    </Panel>
  );
}

function Talk({ agent, address, ports }: Props & { ports: readonly number[] }) {
  const may = useMay('cvms.write', address.teamSlug);
  const [port, setPort] = useState(ports.includes(API_PORT) ? API_PORT : (ports[0] ?? API_PORT));
  const [apiKey, setApiKey] = useState('');
  const [text, setText] = useState('');
  const [turns, setTurns] = useState<ShownTurn[]>([]);
  const [session, setSession] = useState<string | undefined>();
  const nextId = useRef(0);
  const add = (from: string | null, said: string) => {
    const turn = { id: nextId.current++, from, text: said };
    setTurns((before) => recentTurns([...before, turn]));
  };
  const send = useMutation({
    gcTime: 0,
    mutationFn: async (message: string) => {
      const { data } = await sendAgentMessage({
        ...inTeam(address.teamSlug),
        path: { cvm_id: address.vmUuid },
        body: {
          port,
          message,
          ...(session === undefined ? {} : { session_id: session }),
          ...(apiKey === '' ? {} : { api_key: apiKey }),
        },
        throwOnError: true,
      });
      return data;
    },
    onSuccess({ session_id, reply }) {
      setSession(session_id);
      add(agent.service, reply ?? 'The agent chose not to reply.');
    },
    // The message goes back into the box with the error above it.
    onError(_error, message) {
      setTurns((before) => before.slice(0, -1));
      setText((typed) => givenBack(message, typed));
    },
  });
  const submit = () => {
    const message = text.trim();
    add(null, message);
    setText('');
    send.mutate(message);
  };
  const clear = () => {
    setTurns([]);
    setSession(undefined);
    send.reset();
  };
  const problem = problemOf(send.error, 'No reply');
  return (
    <Conversation
      turns={turns.map(({ id, from, text: said }) => (
        <Turn key={id} from={from} text={said} />
      ))}
      isBusy={send.isPending}
      problem={problem}
      label="Message to the agent"
      text={text}
      maxLength={MAX_CHARACTERS}
      onText={setText}
      onSend={submit}
      actions={
        <>
          {turns.length > 0 && !send.isPending && <Button onClick={clear}>New conversation</Button>}
          <ActionButton
            type="submit"
            variant="contained"
            reason={may.reason}
            pending={send.isPending}
            disabled={text.trim() === ''}
          >
            {send.isPending ? 'Waiting for a reply' : 'Send'}
          </ActionButton>
        </>
      }
      settings={
        <>
          <SelectInput
            label="API port"
            value={String(port)}
            choices={ports.map((one) => ({ value: String(one), label: String(one) }))}
            onChange={(event) => setPort(Number(event.target.value))}
          />
          <PasswordInput
            label="API key"
            optional
            autoComplete="off"
            help="The value of ELIZA_SERVER_AUTH_TOKEN, if the agent has one."
            value={apiKey}
            onChange={(event) => setApiKey(event.target.value)}
          />
        </>
      }
    />
  );
}
