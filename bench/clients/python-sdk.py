"""Does one operation with the MCP client of the Python SDK 2, and prints its result as JSON: python-sdk.py ADDRESS OPERATION ARGUMENT."""

import asyncio
import json
import sys

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import PromptReference

PROMPT = "check_coverage_of_change"
CALL = "get_overall_coverage"


def server(address):
    if "http" not in address:
        return StdioServerParameters(**address["stdio"])
    headers = address["http"]["headers"]
    return streamable_http_client(address["http"]["url"], http_client=httpx2.AsyncClient(headers=headers, timeout=60))


async def count_progress(client, path):
    heard = []

    async def listen(progress, total, message):
        heard.append(progress)

    await client.call_tool(CALL, {"lcovPath": path}, progress_callback=listen)
    return len(heard)


async def cancel(client, path):
    running = asyncio.Event()

    async def listen(progress, total, message):
        running.set()

    call = asyncio.create_task(client.call_tool(CALL, {"lcovPath": path}, progress_callback=listen))
    await running.wait()
    call.cancel()
    try:
        await call
    except asyncio.CancelledError:
        return len((await client.list_tools()).tools)
    raise RuntimeError("the call was not cancelled")


async def run(client, operation, argument):
    if operation == "list":
        return len((await client.list_tools()).tools)
    if operation == "call":
        return (await client.call_tool(CALL, {"lcovPath": argument})).structured_content
    if operation == "resources":
        return [str(resource.uri) for resource in (await client.list_resources()).resources]
    if operation == "read":
        return [content.model_dump(mode="json") for content in (await client.read_resource(argument)).contents]
    if operation == "prompt":
        messages = (await client.get_prompt(PROMPT, {"lcovPath": "lcov.info"})).messages
        return [message.model_dump(mode="json") for message in messages]
    if operation == "complete":
        reference = PromptReference(type="ref/prompt", name=PROMPT)
        return (await client.complete(reference, {"name": "lcovPath", "value": ""})).completion.values
    return await (count_progress if operation == "progress" else cancel)(client, argument)


async def main():
    address, operation, argument = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3]
    async with Client(server(address)) as client:
        print(json.dumps(await run(client, operation, argument)))


asyncio.run(main())
