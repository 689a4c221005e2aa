import { useState } from 'react';
import type { AiGateway } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { Conversation } from '../../ui/chat/Conversation';
import { Turn } from '../../ui/chat/Turn';
import { givenBack } from '../../ui/chat/turns';
import { Button } from '../../ui/controls/Button';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { SelectInput } from '../../ui/forms/SelectInput';
import { TextArea, TextInput } from '../../ui/forms/TextInput';
import { Panel } from '../../ui/layout/Panel';
import { limitError } from './keyForm';
import { AnswerFacts } from './AnswerFacts';
import { takesChats } from './takesChats';
import { readTemperature, temperatureError } from './temperature';
import { usePlayground } from './usePlayground';

/** Maximum answer tokens for a model whose context size is unknown. */
const MAX_ANSWER = 1_000_000;

interface Props {
  teamSlug: string;
  gateway: AiGateway;
  preselected: string | undefined;
}

/** A conversation with a model through the gateway, using the same API as programs. */
export function PlaygroundPanel({ teamSlug, gateway, preselected }: Props) {
  const may = useMay('ai.write', teamSlug);
  const { turns, send, stop, clear } = usePlayground(teamSlug, gateway);
  // The playground calls this server's gateway.
  const models = gateway.models.filter((one) => one.is_served_here && takesChats(one));
  const [model, setModel] = useState((models.find(({ id }) => id === preselected) ?? models[0])?.id ?? '');
  const [system, setSystem] = useState('');
  const [most, setMost] = useState('');
  const [heat, setHeat] = useState('');
  const [text, setText] = useState('');
  const mostError = limitError(most, models.find(({ id }) => id === model)?.context_length ?? MAX_ANSWER);
  const heatError = temperatureError(heat);
  const submit = () => {
    if (mostError || heatError) return;
    send.mutate(
      {
        model,
        system,
        text,
        max_tokens: most.trim() === '' ? null : Number(most),
        temperature: readTemperature(heat),
      },
      { onError: () => setText((typed) => givenBack(text, typed)) },
    );
    setText('');
  };
  if (!may.allowed)
    return (
      <Panel title="Playground">
        <EmptyState picture="access" title="Your role can’t create AI keys">
          {may.reason}
        </EmptyState>
      </Panel>
    );
  const problem = problemOf(send.error, 'No response');
  return (
    <Panel
      title="Playground"
      subtitle="Uses a key named Playground that expires after an hour. The conversation stays on this page."
      actions={turns.length > 0 && <Button onClick={clear}>Clear</Button>}
    >
      <Conversation
        turns={turns.map((turn) => (
          <Turn key={turn.id} from={turn.role === 'user' ? null : 'Model'} text={turn.content}>
            <AnswerFacts turn={turn} />
          </Turn>
        ))}
        isBusy={send.isPending}
        problem={problem}
        label="Message"
        text={text}
        maxLength={30_000}
        onText={setText}
        onSend={submit}
        actions={
          send.isPending ? (
            <Button onClick={stop}>Stop</Button>
          ) : (
            <Button type="submit" variant="contained" aria-disabled={text.trim() === ''}>
              Send
            </Button>
          )
        }
        settings={
          <>
            <SelectInput
              label="Model"
              value={model}
              choices={models.map(({ id }) => ({ value: id, label: id }))}
              onChange={(event) => setModel(event.target.value)}
            />
            <TextArea
              label="System message"
              optional
              rows={3}
              value={system}
              maxLength={30_000}
              onChange={(event) => setSystem(event.target.value)}
            />
            <TextInput
              label="Max output tokens"
              optional
              inputMode="numeric"
              value={most}
              autoComplete="off"
              onChange={(event) => setMost(event.target.value)}
              error={mostError}
            />
            <TextInput
              label="Temperature"
              optional
              inputMode="decimal"
              value={heat}
              autoComplete="off"
              help="0 for the likeliest words, up to 2."
              onChange={(event) => setHeat(event.target.value)}
              error={heatError}
            />
          </>
        }
      />
    </Panel>
  );
}
