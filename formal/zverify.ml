(* zverify: verify a certificate with the proved checker.

     zverify [--json] [--time SECONDS] [--memory MIB] FILE | --each

   This file is not proved: it reads and unpacks the file, hands the bytes to [check_payload], and prints the statement that
   comes back. Exit codes as of zcheck: 0 verified, 1 rejected, 2 malformed, 3 unfinished (a limit was reached, or the claim
   is of a kind that is not proved here). *)

open Checked

exception Stop of int * string

let malformed reason = raise (Stop (2, reason))
let unfinished reason = raise (Stop (3, reason))

(* Numbers of the extracted program *)

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n / 2)) else XO (positive (n / 2))
let number n = if n = 0 then N0 else Npos (positive n)
let rec of_positive = function XH -> 1 | XO p -> 2 * of_positive p | XI p -> (2 * of_positive p) + 1
let int = function N0 -> 0 | Npos p -> of_positive p

let members set =
  let rec go place = function
    | XH -> [ place ]
    | XO rest -> go (place + 1) rest
    | XI rest -> place :: go (place + 1) rest
  in
  match set with N0 -> [] | Npos p -> go 0 p

(* The container (FORMAT.md 2) *)

let unpack text start limit =
  let out = Buffer.create (1 lsl 16) and chunk = Bytes.create (1 lsl 16) in
  let stream = Zlib.inflate_init true and input = Bytes.unsafe_of_string text in
  let rec go at =
    let ended, read, made = Zlib.inflate stream input at (String.length text - at) chunk 0 (1 lsl 16) Zlib.Z_SYNC_FLUSH in
    Buffer.add_subbytes out chunk 0 made;
    if Buffer.length out > limit then unfinished "the memory limit was reached";
    if ended then (if at + read < String.length text then malformed "bytes follow the compressed payload")
    else if read = 0 && made = 0 then malformed "the compressed payload is truncated"
    else go (at + read)
  in
  (try go start with Zlib.Error _ -> malformed "the compressed payload is damaged");
  Buffer.contents out

let payload text limit =
  if String.length text < 8 || String.sub text 0 5 <> "ZCERT" || text.[7] <> '\000' then malformed "this is not a certificate";
  if text.[5] <> '\001' then malformed (Printf.sprintf "unknown format version %d" (Char.code text.[5]));
  match text.[6] with
  | '\000' -> String.sub text 8 (String.length text - 8)
  | '\001' -> unpack text 8 limit
  | other -> malformed (Printf.sprintf "unknown compression %d" (Char.code other))

let bytes_of text =
  let table = Array.init 256 (fun i -> match of_N (number i) with Some b -> b | None -> assert false) in
  let rec go at rest = if at < 0 then rest else go (at - 1) (table.(Char.code text.[at]) :: rest) in
  go (String.length text - 1) []

(* What was proved, in words *)

let edge_text set = String.concat " " (List.map string_of_int (members set))

let place = function
  | Mnk (m, n, k) -> ("mnk", Printf.sprintf "%d,%d,%d" (int m) (int n) (int k))
  | Hypergraph (_, edges) -> ("hypergraph", String.concat "; " (List.map edge_text edges))

let statement verified =
  let facts rules shape marking winner names =
    let game, spec = place shape in
    let name = function One -> fst names | Two -> snd names in
    let winner = match winner with Won p -> name p | Draw -> "draw" in
    (("game", game) :: rules) @ [ ("spec", spec); ("starter", name marking.turn); ("winner", winner) ]
  in
  match verified with
  | Strategy s ->
      let rows = int s.board_area.rows and cols = int s.board_area.cols and squares = members s.tree_start.free in
      let row r = String.init cols (fun c -> if List.mem ((r * cols) + c) squares then '.' else '#') in
      let name = function One -> "V" | Two -> "H" in
      [ ("game", "domineering");
        ("spec", if List.length squares = rows * cols then Printf.sprintf "%dx%d" rows cols
                 else String.concat "/" (List.init rows row));
        ("starter", name s.tree_start.to_move); ("winner", name s.tree_winner) ]
  | BlockingGame s -> facts [] s.place s.start (Won s.winner) ("maker", "breaker")
  | StrongGame s ->
      let names = match s.strong_place with Mnk _ -> ("X", "O") | Hypergraph _ -> ("maker", "breaker") in
      facts [ ("rules", "strong") ] s.strong_place s.strong_start s.outcome_of names

let check path memory =
  let text =
    try
      let file = open_in_bin path in
      let text = really_input_string file (in_channel_length file) in
      close_in file;
      text
    with
    | Sys_error reason -> malformed ("the file cannot be read: " ^ reason)
    | End_of_file -> malformed "the file cannot be read: it is no plain file"
  in
  let text = payload text (memory / 64) in
  match check_payload (bytes_of text) with
  | Ok (verified, _) -> (0, statement verified)
  | Rejected -> raise (Stop (1, "the proof does not hold"))
  | Malformed -> malformed "not a payload of the format"
  | Unproved -> unfinished "this kind of claim or of leaf is not proved here"

let words = [| "verified"; "rejected"; "malformed"; "unfinished" |]

let escape text =
  String.concat "" (List.map (function '"' -> "\\\"" | '\\' -> "\\\\" | c when c < ' ' -> "?" | c -> String.make 1 c)
                      (List.of_seq (String.to_seq text)))

(* The verdict on one file: printed, and returned as the exit code. *)
let verdict ~json ~seconds ~memory path =
  ignore (Unix.setitimer Unix.ITIMER_REAL { Unix.it_interval = 0.; it_value = seconds });
  let code, text =
    try
      let code, facts = check path memory in
      (code, if json then String.concat ", " (List.map (fun (k, v) -> Printf.sprintf "\"%s\": \"%s\"" k (escape v)) facts)
             else String.concat " " (List.map (fun (k, v) -> k ^ " " ^ v) facts) ^ ": proved")
    with
    | Stop (code, reason) -> (code, if json then "\"reason\": \"" ^ escape reason ^ "\"" else reason)
    | Stack_overflow | Out_of_memory ->
        let reason = "the memory of this machine was exhausted" in
        (3, if json then "\"reason\": \"" ^ reason ^ "\"" else reason)
  in
  ignore (Unix.setitimer Unix.ITIMER_REAL { Unix.it_interval = 0.; it_value = 0. });
  if json then Printf.printf "{\"verdict\": \"%s\", %s}\n%!" words.(code) text
  else Printf.printf "%s: %s\n%!" (String.uppercase_ascii words.(code)) text;
  code

let () =
  let seconds = ref 600. and mebibytes = ref 4096. and json = ref false and each = ref false and files = ref [] in
  let usage = "zverify [--json] [--time SECONDS] [--memory MIB] FILE | --each" in
  (try
     Arg.parse_argv Sys.argv
       [ ("--time", Arg.Set_float seconds, ""); ("--memory", Arg.Set_float mebibytes, "");
         ("--json", Arg.Set json, ""); ("--each", Arg.Set each, "") ]
       (fun file -> files := file :: !files) usage
   with Arg.Bad _ | Arg.Help _ -> files := [ ""; "" ]);
  let memory = int_of_float (!mebibytes *. 1048576.) in
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ -> unfinished "the time limit was reached"));
  ignore
    (Gc.create_alarm (fun () ->
         if (Gc.quick_stat ()).Gc.heap_words * 8 > memory then unfinished "the memory limit was reached"));
  let verdict = verdict ~json:!json ~seconds:!seconds ~memory in
  match (!files, !each) with
  | [ path ], false -> exit (verdict path)
  | [], true ->
      let rec go worst = match input_line stdin with path -> go (max worst (verdict path)) | exception End_of_file -> worst in
      exit (go 0)
  | _ ->
      prerr_endline usage;
      exit 2
