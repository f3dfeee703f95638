import { runChecks } from "./run.mjs";

onconnect = ({ ports: [port] }) => {
  port.onmessage = async ({ data }) => port.postMessage(await runChecks(...data));
};
