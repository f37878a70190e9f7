"""A language model small enough to be made in a test: real file, real protocol, nonsense for words.

It writes ASCII and never stops by itself, so that a test has something to cancel: only `max_tokens`, or a
schema that is fulfilled, ends a reply. The same seed gives the same file, byte for byte.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import gguf
import numpy as np
from numpy.typing import NDArray

Weights: TypeAlias = NDArray[np.float32]

LAYERS, WIDTH, HEADS, INNER, CONTEXT = 2, 64, 2, 128, 32_768
PLAIN_TEXT = [*b"\n", *range(ord(" "), ord("~") + 1)]
MARKS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
VOCABULARY = 256 + len(MARKS)
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def write_random_gguf(path: Path, seed: int = 7) -> Path:
    """Write a llama of two layers over single bytes, with random weights.

    Args:
        path: the file to write.
        seed: another one gives other weights.
    """
    writer = gguf.GGUFWriter(path, "llama")
    _write_form(writer)
    _write_tokenizer(writer)
    _write_weights(writer, np.random.default_rng(seed))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _write_form(writer: gguf.GGUFWriter) -> None:
    writer.add_name("random")
    writer.add_block_count(LAYERS)
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(VOCABULARY)


def _write_tokenizer(writer: gguf.GGUFWriter) -> None:
    tokens = [*_letters_of_bytes(), *MARKS]
    kinds = [gguf.TokenType.NORMAL] * 256 + [gguf.TokenType.CONTROL] * len(MARKS)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    # The loader wants a merge; the result of this one is no token, so it never applies.
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(256)
    writer.add_eos_token_id(258)
    writer.add_chat_template(TEMPLATE)


def _letters_of_bytes() -> list[str]:
    """GPT-2's printable letter of every byte: bytes that are none get letters from 256 on."""
    printable = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = [byte for byte in range(256) if byte not in printable]
    return [chr(byte) if byte in printable else chr(256 + others.index(byte)) for byte in range(256)]


def _write_weights(writer: gguf.GGUFWriter, random: np.random.Generator) -> None:
    def drawn(*shape: int) -> Weights:
        return random.normal(0, 0.3, shape).astype(np.float32)

    # The first number of the state is the same for every token and no layer adds to it: set against it, the
    # marks and all bytes but those of plain text are never the likely next token.
    embedding, output = drawn(VOCABULARY, WIDTH), drawn(VOCABULARY, WIDTH)
    embedding[:, 0], output[:, 0] = 4.0, -100.0
    output[PLAIN_TEXT, 0] = 0.0
    weights = {"token_embd": embedding, "output": output, "output_norm": np.ones(WIDTH, dtype=np.float32)}
    for layer in range(LAYERS):
        weights |= {f"blk.{layer}.{name}": value for name, value in _block(drawn).items()}
    for name, value in weights.items():
        writer.add_tensor(f"{name}.weight", value)


def _block(drawn: Callable[[int, int], Weights]) -> dict[str, Weights]:
    inward = {f"attn_{name}": drawn(WIDTH, WIDTH) for name in ("q", "k", "v")}
    inward |= {f"ffn_{name}": drawn(INNER, WIDTH) for name in ("gate", "up")}
    outward = {"attn_output": drawn(WIDTH, WIDTH), "ffn_down": drawn(WIDTH, INNER)}
    for value in outward.values():
        value[0] = 0.0
    norms = {f"{name}_norm": np.ones(WIDTH, dtype=np.float32) for name in ("attn", "ffn")}
    return inward | outward | norms
