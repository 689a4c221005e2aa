import { useEffect, useRef, useState } from 'react';
import type { ComposeAnalysis, ComposeContext } from '../../../lib/compose/composeFile';
import type { AppComposeInput } from '../../../lib/compose/composeHash';
import { importWithRetry } from '../../../lib/importWithRetry';

export interface AnalysisRequest {
  id: number;
  compose: AppComposeInput;
  context: ComposeContext;
}

export interface AnalysisAnswer {
  id: number;
  analysis: ComposeAnalysis;
  /** Null for text that can't be encoded as UTF-8. */
  compose_hash: string | null;
}

export interface LiveAnalysis {
  /** Null until the first answer. */
  analysis: ComposeAnalysis | null;
  compose_hash: string | null;
  /** True while the result is for an earlier text. */
  pending: boolean;
}

/** Findings and compose hash of the current text, computed in a worker. One text at a time; the latest wins. */
export function useLiveAnalysis(compose: AppComposeInput, context: ComposeContext): LiveAnalysis {
  const [answer, setAnswer] = useState<AnalysisAnswer | null>(null);
  const [fault, setFault] = useState(false);
  const worker = useRef<Worker>(null);
  const asked = useRef(0);
  // Requests are compared by content, not by object identity.
  const request = JSON.stringify({ compose, context });
  const [answered, setAnswered] = useState('');

  useEffect(() => {
    const made = new Worker(new URL('./analysis.worker.ts', import.meta.url), { type: 'module' });
    made.addEventListener('error', () => setFault(true));
    worker.current = made;
    return () => {
      made.terminate();
      worker.current = null;
    };
  }, []);

  useEffect(() => {
    const id = (asked.current += 1);
    const take = ({ data }: { data: AnalysisAnswer }) => {
      if (data.id !== asked.current) return;
      setAnswer(data);
      setAnswered(request);
    };
    const current = worker.current;
    const timer = setTimeout(() => {
      const body: AnalysisRequest = { id, ...(JSON.parse(request) as Omit<AnalysisRequest, 'id'>) };
      if (current && !fault) current.postMessage(body);
      else void withoutWorker(body).then((data) => take({ data }));
    }, 150);
    const listen = (event: MessageEvent<AnalysisAnswer>) => take(event);
    current?.addEventListener('message', listen);
    return () => {
      clearTimeout(timer);
      current?.removeEventListener('message', listen);
    };
  }, [request, fault]);

  return {
    analysis: answer?.analysis ?? null,
    compose_hash: answer?.compose_hash ?? null,
    pending: answered !== request,
  };
}

/** Where workers are blocked, the analysis runs on the main thread. */
async function withoutWorker({ id, compose, context }: AnalysisRequest): Promise<AnalysisAnswer> {
  const [{ analyzeCompose }, { buildAppCompose }] = await Promise.all([
    importWithRetry(() => import('../../../lib/compose/composeFile')),
    importWithRetry(() => import('../../../lib/compose/composeHash')),
  ]);
  let compose_hash: string | null = null;
  try {
    ({ compose_hash } = buildAppCompose(compose));
  } catch {
    // As in the worker.
  }
  return { id, analysis: analyzeCompose(compose.docker_compose_file, context), compose_hash };
}
