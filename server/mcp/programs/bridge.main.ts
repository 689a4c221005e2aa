import { httpBridge } from '../bridge/http';
import { linesBridge } from '../bridge/lines';
import { openDoor, optionsFrom } from '../door';

/**
 * Stands before an MCP server of the user's own. Bundled into the Compose files that the console writes. Its argument is
 * the server's URL: `tcp:` if it reads lines, `http:` with the path if it speaks HTTP itself.
 */
const options = optionsFrom(process.env);
const upstream = new URL(process.argv[1] ?? '');
openDoor(upstream.protocol === 'tcp:' ? linesBridge(upstream) : httpBridge(upstream), options);
