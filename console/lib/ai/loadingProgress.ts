import { cutWhole } from '../texts/cutWhole';

const WORK = /download|fetch|load|shard|weight|checkpoint|captur/i;
const MAX_TEXT = 200;

/**
 * Returns the newest line with a percentage in the log of an engine that isn't ready yet. Engines write "Loading
 * safetensors checkpoint shards: 25% Completed | 1/4" or "Fetching 8 files: 38%|███", each line replacing the
 * previous one.
 */
export function loadingProgress(log: string): string | null {
  for (const line of log.split(/[\r\n]+/).toReversed()) {
    const percent = /(?<![\d.])(\d{1,3})(?:\.\d+)? ?%/.exec(line)?.[1];
    if (percent === undefined || !WORK.test(line) || Number(percent) > 100) continue;
    // Progress bars consist of block characters, and colors of escape sequences.
    // oxlint-disable-next-line no-control-regex
    const text = line.replace(/\u001b\[[\d;]*[A-Za-z]/g, '').replace(/\|[█▏▎▍▌▋▊▉#= ]*\|/u, ' ');
    return cutWhole(text.trim(), MAX_TEXT);
  }
  return null;
}
