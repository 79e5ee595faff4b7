(** The checker as an OCaml program; only lists, pairs, options and booleans become OCaml's own. *)

From Coq Require Import Extraction ExtrOcamlBasic.
From Coq.Strings Require Byte.
From Zermelo Require Import Check.

Extraction Language OCaml.
Extraction "checked.ml" check_payload Byte.of_N.
