// GuiNN Checkers (Jonathan Kreuzer, with Ed Gilbert and Ed Trice) as a program that speaks UGI (kz04px, ugi.md).
//
// GuiNN's own program is a window of Windows, or a library for CheckerBoard. This is a third one: it stands for
// engine.cpp, which starts threads and windows, and takes from GuiNN its search, its networks and its tables of four
// pieces, which it reads from the folder that it is in. It knows no openings. Turns and positions are written as
// Papan writes them: `9x18x25` with every square of a capture, `B:W21,K30:B1,2:7` with the quiet turns at the end.
//
// One thread: while GuiNN thinks, nothing is read, so that `stop` comes too late to matter.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "engine.h"
#include "guiWindows.h"

// What engine.cpp and openingBook.cpp would define.

Engine engine;
CheckerboardInterface checkerBoard;
uint64_t TranspositionTable::HashSTM;
uint64_t TranspositionTable::HashFunction[NUM_BOARD_SQUARES][NUM_PIECE_TYPES];

void RunningDisplay(SearchInfo &, const Move &, bool) {}
int COpeningBook::GetMove(Board &, Move &) { return BOOK_INVALID_VALUE; }
int QueryEdsDatabase(const Board &, int) { return INVALID_DB_VALUE; } // Trice's tables, which are not there

namespace {

const char TABLES[] = "database.jef"; // as database.cpp calls it
const int USUAL_MEGABYTES = 64;
const int MOST_MEGABYTES = 4096;
const float USUAL_SECONDS = 1.0f;
const int MOST_TURNS = 80; // quiet turns, which the history of a position has at most

// Read what GuiNN knows; says what is missing, or "".
std::string get_ready() {
    InitBitTables();
    std::mt19937_64 random(1);
    for (auto &square : TranspositionTable::HashFunction)
        for (auto &number : square)
            number = random();
    TranspositionTable::CreateHashFunction();

    checkerBoard.useOpeningBook = CB_BOOK_NONE;
    engine.openingBook = nullptr;
    const int networks = InitializeNeuralNets();
    if (networks != static_cast<int>(engine.evalNets.size()))
        return engine.binaryNetFile + ": " + std::to_string(networks) + " networks of " +
               std::to_string(engine.evalNets.size()) + " could be read";
    InitializeGuiDatabases(engine.dbInfo);
    if (!engine.dbInfo.loaded)
        return std::string(TABLES) + ": the tables of four pieces could not be read";

    int widest = 0;
    for (const auto *net : engine.evalNets)
        widest = std::max(widest, net->network.GetLayer(0)->outputCount);
    engine.searchThreadData.Alloc(widest);
    if (!engine.TTable.SetSizeMB(USUAL_MEGABYTES))
        return "there is not enough memory for a table of " + std::to_string(USUAL_MEGABYTES) + " MiB";
    return "";
}

void begin_match() {
    engine.TTable.Clear();
    engine.searchThreadData.historyTable.Clear();
}

void begin_at(const Board &board) {
    engine.board = board;
    engine.transcript.Init(board);
}

void play(const Move &move) {
    const bool is_irreversible = engine.board.DoMove(move) != 0;
    if (is_irreversible || engine.transcript.numMoves >= MOST_TURNS)
        begin_at(engine.board); // nothing before can come again
    else
        engine.transcript.AddMove(move);
}

std::string text_of(const Move &move) {
    std::string text = std::to_string(StandardSquare(move.Src()));
    text += (move.JumpLen() ? "x" : "-") + std::to_string(StandardSquare(move.Dst()));
    int square = move.Dst();
    for (int jump = 0; jump + 1 < move.JumpLen(); jump++) {
        square += JumpAddDir[move.Dir(jump)];
        text += "x" + std::to_string(StandardSquare(square));
    }
    return text;
}

std::vector<Move> moves_of(Board board) {
    MoveList list;
    list.FindMoves(board);
    return std::vector<Move>(list.moves, list.moves + list.numMoves);
}

// The move of the board that is written so, or NO_MOVE.
Move move_of(const Board &board, const std::string &text) {
    for (const Move &move : moves_of(board))
        if (text_of(move) == text)
            return move;
    return NO_MOVE;
}

// Whether a capture that is written so goes on after the beginning of it.
bool begins_with(const std::string &text, const std::string &beginning) { return text.rfind(beginning + "x", 0) == 0; }

std::vector<std::string> parts_of(const std::string &text, char sign) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, sign);)
        parts.push_back(part);
    return parts;
}

// Put the pieces of a side, "WK7,21", onto the board; says whether that makes sense.
bool put(Board &board, const std::string &side) {
    if (side.empty() || (side[0] != 'B' && side[0] != 'W'))
        return false;
    const int man = side[0] == 'B' ? BPIECE : WPIECE;
    for (std::string piece : parts_of(side.substr(1), ',')) {
        const bool is_king = piece[0] == 'K';
        const int square = std::atoi(piece.c_str() + (is_king ? 1 : 0));
        if (square < 1 || square > NUM_BOARD_SQUARES)
            return false;
        board.SetPiece(FlipSqX(square - 1), man | (is_king ? KING : 0));
    }
    return true;
}

// Begin at a position in Papan's words; says whether it makes sense.
bool set_up(const std::string &text) {
    const auto fields = parts_of(text, ':');
    if (fields.size() < 3 || fields.size() > 4 || (fields[0] != "B" && fields[0] != "W"))
        return false;
    Board board;
    board.Clear();
    board.sideToMove = fields[0] == "B" ? BLACK : WHITE;
    if (!put(board, fields[1]) || !put(board, fields[2]))
        return false;
    board.SetFlags();
    if (fields.size() == 4)
        board.reversibleMoves = static_cast<uint8_t>(ClampInt(std::atoi(fields[3].c_str()), 0, MOST_TURNS));
    begin_at(board);
    return true;
}

// The captures that are already made of a turn that is to be finished, "9x18", or "".
std::string made;

// `position startpos|fen TEXT [moves TURN ...]`
void take_position(std::istringstream &words) {
    made.clear();
    std::string word;
    words >> word;
    if (word == "startpos") {
        begin_at(Board::StartPosition());
    } else if (words >> word; !set_up(word)) {
        std::cout << "info string no position: " << word << std::endl;
        return;
    }
    words >> word; // "moves"
    while (words >> word) {
        const Move move = move_of(engine.board, word);
        if (move != NO_MOVE) {
            play(move);
            continue;
        }
        for (const Move &longer : moves_of(engine.board))
            if (begins_with(text_of(longer), word))
                made = word;
        if (made.empty())
            std::cout << "info string no turn: " << word << std::endl;
        return;
    }
}

// Tell what the search found, from the point of view of the side to move.
void tell(const BestMoveInfo &found) {
    const SearchInfo &info = engine.searchThreadData.displayInfo;
    const double seconds = TimeSince(info.startTimeMs);
    std::cout << "info depth " << info.depth << " seldepth " << info.selectiveDepth << " nodes " << info.nodes
              << " nps " << static_cast<uint64_t>(info.nodes / std::max(seconds, 0.001)) << " time "
              << static_cast<int>(1000 * seconds) << " tbhits " << info.databaseNodes << " score ";
    if (std::abs(found.eval) > MIN_WIN_SCORE) {
        const int plies = WinScore(0) - std::abs(found.eval);
        std::cout << "mate " << (found.eval > 0 ? (plies + 1) / 2 : -(plies / 2));
    } else {
        std::cout << "cp " << found.eval;
    }
    std::cout << " pv " << text_of(found.move);
    Board board = engine.board;
    for (int ply = 0; ply < info.pv.count; ply++) {
        const Move move = info.pv.moves[ply];
        if (ply == 0 && move != found.move)
            break; // the line of a move that another one has replaced since
        if (move_of(board, text_of(move)) != move)
            break;
        if (ply > 0)
            std::cout << " " << text_of(move);
        board.DoMove(move);
    }
    std::cout << std::endl;
}

// `go movetime MILLISECONDS`, `go depth PLIES`, or both
void go(std::istringstream &words) {
    SearchLimits limits;
    limits.maxSeconds = USUAL_SECONDS;
    limits.bEndHard = true; // or it takes up to five times as long where its score falls
    bool has_time = false;
    for (std::string word; words >> word;) {
        int number = 0;
        if (word == "movetime" && words >> number) {
            limits.maxSeconds = std::max(number, 1) / 1000.0f;
            has_time = true;
        } else if (word == "depth" && words >> number) {
            limits.maxDepth = ClampInt(number, 1, EXPERT_DEPTH);
            if (!has_time)
                limits.maxSeconds = 3600.0f;
        }
    }
    engine.searchLimits = limits;
    engine.boardHashHistory[engine.transcript.numMoves] = engine.board.hashKey;
    const std::vector<Move> moves = moves_of(engine.board);
    if (moves.empty()) {
        std::cout << "bestmove (none)" << std::endl;
        return;
    }
    BestMoveInfo found = ComputerMove(engine.board, engine.searchThreadData);
    std::string text = text_of(found.move);
    if (made.empty()) {
        tell(found);
    } else { // GuiNN knows whole turns only
        for (const Move &move : moves)
            if (!begins_with(text, made))
                text = text_of(move);
        text = text.substr(made.size());
    }
    std::cout << "bestmove " << text << std::endl;
}

// `setoption name Hash value MEBIBYTES`; others are none of ours
void set_option(std::istringstream &words) {
    std::string word, name;
    int value = 0;
    if (words >> word >> name >> word >> value && name == "Hash")
        engine.TTable.SetSizeMB(ClampInt(value, 1, MOST_MEGABYTES));
}

} // namespace

int main(int, char **arguments) {
    const auto folder = std::filesystem::path(arguments[0]).parent_path();
    std::error_code failure;
    if (!folder.empty())
        std::filesystem::current_path(folder, failure);
    const std::string fault = get_ready();
    if (!fault.empty()) {
        std::cerr << fault << std::endl;
        return EXIT_FAILURE;
    }
    begin_at(Board::StartPosition());
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        if (command == "ugi")
            std::cout << "id name " << g_VersionName << "\nid author Jonathan Kreuzer\noption name Hash type spin default "
                      << USUAL_MEGABYTES << " min 1 max " << MOST_MEGABYTES << "\nugiok" << std::endl;
        else if (command == "isready")
            std::cout << "readyok" << std::endl;
        else if (command == "setoption")
            set_option(words);
        else if (command == "uginewgame")
            begin_match();
        else if (command == "position")
            take_position(words);
        else if (command == "go")
            go(words);
        else if (command == "quit")
            break;
    }
    return EXIT_SUCCESS;
}
