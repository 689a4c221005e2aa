import { median, ms, type Options, type Part } from './report';
import { removeDir, serverCommand, startServerProcess, temporaryDir } from './serverProcess';

/** Time from process start to the first 200 of /readyz, with the supervised PostgreSQL. */
export async function start(options: Options): Promise<Part> {
  const { built } = await serverCommand();
  const first: number[] = [];
  const again: number[] = [];
  for (let i = 0; i < (options.quick ? 1 : 3); i++) {
    const dataDir = await temporaryDir();
    try {
      const times = i === 0 ? (options.quick ? 2 : 6) : 1;
      for (let n = 0; n < times; n++) {
        const server = await startServerProcess(dataDir);
        (n === 0 ? first : again).push(server.readyMs);
        await server.stop();
      }
    } finally {
      await removeDir(dataDir);
    }
  }
  options.say('starts');
  return {
    title: 'Start',
    how: `${built ? 'The build' : 'The sources, through tsx'}, supervised PostgreSQL, medians of ${first.length} and ${again.length}. The first start also creates the database.`,
    rows: [
      { what: 'first start to ready', figures: ms(median(first)) },
      { what: 'start to ready', figures: ms(median(again)) },
    ],
  };
}
