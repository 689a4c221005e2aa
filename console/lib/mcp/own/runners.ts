/*
 * Programs that install and run a package. Everything the user chose is one of their arguments, never part of their
 * text or of a shell command: `stdio` or `http`, the package, its version, its program (or nothing), its arguments.
 * They install to a volume at /srv, so that a restart doesn't need the registry. With stdio, each connection to
 * port 9000 gets its own process, started by the first byte.
 */

export const LINES_PORT = 9000;

/** The runner for Node.js. */
export const NPM_RUNNER = String.raw`import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";

const [mode, name, version, program, ...args] = process.argv.slice(1);
const root = "/srv";
const wanted = name + "@" + version;
const read = (file) => {
  try {
    return readFileSync(root + "/" + file, "utf8");
  } catch {
    return "";
  }
};
mkdirSync(root + "/data", { recursive: true });
if (read("installed") !== wanted) {
  rmSync(root + "/installed", { force: true });
  console.log("Installing " + wanted);
  const flags = ["--prefix", root, "--cache", "/tmp/npm", "--omit=dev", "--no-audit", "--no-fund", "--save-exact"];
  const { status } = spawnSync("npm", ["install", ...flags, "--", wanted], { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error("Couldn't install " + wanted + ".");
  writeFileSync(root + "/installed", wanted);
}

const { bin } = JSON.parse(read("node_modules/" + name + "/package.json"));
const short = name.split("/").pop();
const programs = typeof bin === "string" ? [short] : Object.keys(bin ?? {});
const found = program ? programs.find((one) => one === program) : programs.length === 1 ? programs[0] : programs.find((one) => one === short);
if (found === undefined)
  throw new Error(programs.length === 0 ? wanted + " has no program to run." : "Choose a program of " + wanted + ": " + programs.join(", "));
const start = (stdio) => spawn(root + "/node_modules/.bin/" + found, args, { cwd: root + "/data", stdio });

if (mode === "http") {
  const child = start("inherit");
  child.on("error", () => process.exit(1));
  child.on("exit", (code) => process.exit(code ?? 1));
  process.on("SIGTERM", () => child.kill());
} else {
  const listener = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (first) => {
      const child = start(["pipe", "pipe", "inherit"]);
      child.on("error", () => socket.destroy());
      child.stdin.on("error", () => socket.destroy());
      child.stdin.write(first);
      socket.pipe(child.stdin);
      child.stdout.pipe(socket);
      child.on("exit", () => socket.end());
      socket.on("close", () => {
        child.kill();
        setTimeout(() => child.kill("SIGKILL"), 5_000).unref();
      });
    });
  });
  listener.maxConnections = 64;
  listener.listen(9000, () => console.log(wanted + " is ready"));
}
`;

/** The runner for Python, using only its standard library. */
export const PYPI_RUNNER = String.raw`import asyncio, os, re, subprocess, sys
from importlib.metadata import distributions

mode, name, version, program, *args = sys.argv[1:]
root = "/srv"
wanted = f"{name}=={version}"
marker = os.path.join(root, "installed")
data = os.path.join(root, "data")
venv = os.path.join(root, "venv")
python = os.path.join(venv, "bin", "python")
packages = os.path.join(venv, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")

def installed():
    try:
        with open(marker) as file:
            return file.read() == wanted and os.path.exists(python)
    except OSError:
        return False

os.makedirs(data, exist_ok=True)
if not installed():
    if os.path.exists(marker):
        os.remove(marker)
    print("Installing", wanted, flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", venv], check=True)
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--no-cache-dir", "--disable-pip-version-check"]
    if subprocess.run([*pip, "--", wanted]).returncode != 0:
        sys.exit(f"Couldn't install {wanted}.")
    with open(marker, "w") as file:
        file.write(wanted)

def plain(text):
    return re.sub(r"[-_.]+", "-", text).lower()

found = next(iter(distributions(name=name, path=[packages])), None)
programs = [one.name for one in found.entry_points if one.group == "console_scripts"] if found else []
if program:
    chosen = next((one for one in programs if one == program), None)
elif len(programs) == 1:
    chosen = programs[0]
else:
    chosen = next((one for one in programs if plain(one) == plain(name)), None)
if chosen is None:
    sys.exit(f"Choose a program of {wanted}: {', '.join(programs)}" if programs else f"{wanted} has no program to run.")
command = [os.path.join(venv, "bin", chosen), *args]

if mode == "http":
    os.chdir(data)
    os.execv(command[0], command)

async def copy(source, target):
    try:
        while part := await source.read(65536):
            target.write(part)
            await target.drain()
    except ConnectionError:
        pass
    finally:
        target.close()

async def serve(reader, writer):
    first = await reader.read(65536)
    if not first:
        return writer.close()
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*command, cwd=data, stdin=pipe, stdout=pipe)
    child.stdin.write(first)
    answers = asyncio.create_task(copy(child.stdout, writer))
    await copy(reader, child.stdin)
    try:
        await asyncio.wait_for(child.wait(), 5)
    except asyncio.TimeoutError:
        child.kill()
    await answers

async def main():
    listener = await asyncio.start_server(serve, port=9000)
    print(wanted, "is ready", flush=True)
    async with listener:
        await listener.serve_forever()

asyncio.run(main())
`;
